//! The operating system in one place: processors, thread clocks, huge pages, free memory.
//!
//! Where a system lacks a call, the function answers "unknown" instead of failing.
#![allow(unsafe_code)] // System calls; each block states why its arguments are valid.

/// The processor that the calling thread runs on, if the system tells.
#[inline]
pub fn current_cpu() -> Option<usize> {
    #[cfg(target_os = "linux")]
    {
        // SAFETY: no arguments, no memory is touched.
        let cpu = unsafe { libc::sched_getcpu() };
        usize::try_from(cpu).ok()
    }
    #[cfg(not(target_os = "linux"))]
    None
}

/// The number of processors that the calling thread may run on, if the system tells.
pub fn allowed_cpus() -> Option<usize> {
    #[cfg(target_os = "linux")]
    {
        // SAFETY: cpu_set_t is plain bits, and all zeros is the empty set.
        let mut mask: libc::cpu_set_t = unsafe { std::mem::zeroed() };
        // SAFETY: `mask` is a cpu_set_t of the size given; thread 0 is the calling one.
        if unsafe { libc::sched_getaffinity(0, size_of::<libc::cpu_set_t>(), &raw mut mask) } != 0 {
            return None;
        }
        // SAFETY: the set is a plain value.
        usize::try_from(unsafe { libc::CPU_COUNT(&mask) }).ok()
    }
    #[cfg(not(target_os = "linux"))]
    None
}

/// Moves the calling thread off processor `cpu`, then gives it back every processor it had.
///
/// The scheduler often wakes a worker on the processor of the thread that woke it and leaves it
/// there; leaving once is enough, because it then stays where it went.
pub fn leave_cpu(cpu: usize) -> bool {
    #[cfg(target_os = "linux")]
    {
        let size = size_of::<libc::cpu_set_t>();
        // SAFETY: cpu_set_t is plain bits, and all zeros is the empty set.
        let mut mask: libc::cpu_set_t = unsafe { std::mem::zeroed() };
        if cpu >= 8 * size {
            return false;
        }
        // SAFETY: `mask` is a cpu_set_t of `size` bytes; thread 0 is the calling one.
        if unsafe { libc::sched_getaffinity(0, size, &raw mut mask) } != 0 {
            return false;
        }
        let mut reduced = mask;
        // SAFETY: `cpu` is below the number of bits of the set.
        unsafe { libc::CPU_CLR(cpu, &mut reduced) };
        // SAFETY: the set is a plain value.
        if unsafe { libc::CPU_COUNT(&reduced) } == 0 {
            return false;
        }
        // SAFETY: both masks are cpu_set_t of `size` bytes; the second call restores the first state.
        unsafe {
            let moved = libc::sched_setaffinity(0, size, &raw const reduced) == 0;
            libc::sched_setaffinity(0, size, &raw const mask);
            moved
        }
    }
    #[cfg(not(target_os = "linux"))]
    {
        let _ = cpu;
        false
    }
}

/// Processor time of the calling thread in nanoseconds, if the system tells.
pub fn thread_time_ns() -> Option<u64> {
    #[cfg(unix)]
    {
        let mut time = libc::timespec { tv_sec: 0, tv_nsec: 0 };
        // SAFETY: `time` is a valid timespec for the call to fill.
        let status = unsafe { libc::clock_gettime(libc::CLOCK_THREAD_CPUTIME_ID, &raw mut time) };
        if status != 0 {
            return None;
        }
        let seconds = u64::try_from(time.tv_sec).ok()?;
        let nanoseconds = u64::try_from(time.tv_nsec).ok()?;
        Some(seconds * 1_000_000_000 + nanoseconds)
    }
    #[cfg(not(unix))]
    None
}

/// Nanoseconds that the calling thread was ready to run while something else had the processor.
pub fn thread_waiting_ns() -> Option<i64> {
    #[cfg(target_os = "linux")]
    {
        use std::cell::RefCell;
        use std::fs::File;
        use std::os::unix::fs::FileExt;
        thread_local! {
            // Opened once a thread: the name means the thread that opens it. A forked child opens its own.
            static FILE: RefCell<Option<(u32, File)>> = const { RefCell::new(None) };
        }
        FILE.with(|slot| {
            let mut slot = slot.borrow_mut();
            let process = std::process::id();
            if slot.as_ref().is_none_or(|(opened, _)| *opened != process) {
                *slot = Some((process, File::open("/proc/thread-self/schedstat").ok()?));
            }
            let mut text = [0; 64];
            let (_, file) = slot.as_ref()?;
            let length = file.read_at(&mut text, 0).ok()?;
            let text = std::str::from_utf8(&text[..length]).ok()?;
            text.split_whitespace().nth(1)?.parse().ok()
        })
    }
    #[cfg(not(target_os = "linux"))]
    None
}

/// How often the calling thread gave its processor up to wait for something.
pub fn thread_waits() -> Option<i64> {
    #[cfg(target_os = "linux")]
    {
        // SAFETY: rusage is plain numbers, for which all zeros is a value.
        let mut usage: libc::rusage = unsafe { std::mem::zeroed() };
        // SAFETY: `usage` is a valid rusage for the call to fill.
        let status = unsafe { libc::getrusage(libc::RUSAGE_THREAD, &raw mut usage) };
        (status == 0).then_some(usage.ru_nvcsw)
    }
    #[cfg(not(target_os = "linux"))]
    None
}

/// Processors that the calling thread may run on; empty where the system does not tell.
pub fn allowed_cpu_list() -> Vec<usize> {
    #[cfg(target_os = "linux")]
    {
        let size = size_of::<libc::cpu_set_t>();
        // SAFETY: cpu_set_t is plain bits, and all zeros is the empty set.
        let mut mask: libc::cpu_set_t = unsafe { std::mem::zeroed() };
        // SAFETY: `mask` is a cpu_set_t of `size` bytes; thread 0 is the calling one.
        if unsafe { libc::sched_getaffinity(0, size, &raw mut mask) } != 0 {
            return Vec::new();
        }
        // SAFETY: every `cpu` is below the number of bits of the set.
        (0..8 * size).filter(|&cpu| unsafe { libc::CPU_ISSET(cpu, &mask) }).collect()
    }
    #[cfg(not(target_os = "linux"))]
    Vec::new()
}

/// Lets the calling thread run on these processors only; false where the system refuses.
pub fn allow_cpus(cpus: &[usize]) -> bool {
    #[cfg(target_os = "linux")]
    {
        let size = size_of::<libc::cpu_set_t>();
        // SAFETY: cpu_set_t is plain bits, and all zeros is the empty set.
        let mut mask: libc::cpu_set_t = unsafe { std::mem::zeroed() };
        for &cpu in cpus.iter().filter(|&&cpu| cpu < 8 * size) {
            // SAFETY: `cpu` is below the number of bits of the set.
            unsafe { libc::CPU_SET(cpu, &mut mask) };
        }
        // SAFETY: `mask` is a cpu_set_t of `size` bytes; an empty or foreign set is refused, not undefined.
        unsafe { libc::sched_setaffinity(0, size, &raw const mask) == 0 }
    }
    #[cfg(not(target_os = "linux"))]
    {
        let _ = cpus;
        false
    }
}

/// Asks for huge pages under a large buffer that nobody has touched yet; a refusal is harmless.
pub fn advise_huge_pages<T>(buffer: &mut [T]) {
    #[cfg(target_os = "linux")]
    {
        const PAGE: usize = 4096;
        /// Less than two huge pages is not worth the call.
        const LARGE: usize = 4 << 20;
        let start = buffer.as_ptr() as usize;
        let end = start + size_of_val(buffer);
        let first = start.next_multiple_of(PAGE);
        let last = end / PAGE * PAGE;
        if last >= first + LARGE {
            // SAFETY: whole pages inside a buffer that the caller owns; the advice changes no content.
            unsafe { libc::madvise(first as *mut libc::c_void, last - first, libc::MADV_HUGEPAGE) };
        }
    }
    #[cfg(not(target_os = "linux"))]
    let _ = buffer;
}

/// Bytes that the system could give to a new allocation without swapping, if it tells.
pub fn free_memory() -> Option<u64> {
    let text = std::fs::read_to_string("/proc/meminfo").ok()?;
    let line = text.lines().find(|line| line.starts_with("MemAvailable:"))?;
    let kibibytes: u64 = line.split_whitespace().nth(1)?.parse().ok()?;
    Some(kibibytes * 1024)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    #[cfg(target_os = "linux")]
    fn leaving_a_processor_keeps_the_mask() {
        let count = || std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
        let before = count();
        if let Some(cpu) = current_cpu() {
            leave_cpu(cpu);
        }
        assert_eq!(count(), before);
    }

    #[test]
    #[cfg(target_os = "linux")]
    fn the_thread_clock_advances_and_memory_is_known() {
        let start = thread_time_ns().unwrap();
        let mut x = 1.0_f64;
        for i in 0..100_000 {
            x += f64::from(i).sqrt();
        }
        assert!(x > 0.0 && thread_time_ns().unwrap() > start);
        assert!(free_memory().unwrap() > 1 << 20);
    }
}

//! Scaling laws: one law a file, with value, derivative, inverse, knee, peak and ceiling.

//! The arithmetic of data-parallel training: collectives, stragglers, failures and batches.

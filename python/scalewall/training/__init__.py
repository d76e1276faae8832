"""Data-parallel training: what collectives, stragglers, failures and batches cost."""

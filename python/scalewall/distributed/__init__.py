"""Reductions and measurements over the ranks of an MPI communicator; needs mpi4py."""

"""Who is here, and how they come, stay and become somebody else."""

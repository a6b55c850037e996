"""Tests of tables, which do no input or output."""

"""Tests that no viewer learns hidden information: two worlds must be indistinguishable to them."""

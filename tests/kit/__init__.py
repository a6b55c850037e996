"""Tools that tests share: a clock turned by hand, tables, hosts and connections over fakes."""

/** A server of the tour that cannot start: it misses a setting, says so on stderr and ends with a status of its own. */
process.stderr.write("missing FOO_TOKEN: set it in the entry's env\n");
process.exitCode = 3;

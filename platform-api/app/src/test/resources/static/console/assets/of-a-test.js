// A file of ConsoleFilesIT.

package io.watershed.gateway.represent;

/**
 * One column of a Table, as {@code columnDefinitions} shows it.
 *
 * @param type {@code string}, {@code integer}, {@code number}, {@code boolean} or {@code date}; a cell need not be of it
 * @param format {@code name} marks the column that names the object; else mostly empty
 * @param priority 0: always shown; above: kubectl shows it with {@code -o wide} only
 */
record Column(String name, String type, String format, String description, int priority) {}

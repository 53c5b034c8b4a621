/** A larger file is no resource: it is read by pages, with fs_read_file. */
export const MOST_RESOURCE_BYTES = 4 * 1024 * 1024;

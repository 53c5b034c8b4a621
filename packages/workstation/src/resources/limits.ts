/** A larger file is not a resource: it is read in pages, with fs_read_file. */
export const MAX_RESOURCE_BYTES = 4 * 1024 * 1024;

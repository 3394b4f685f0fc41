import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';

/**
 * Finds an installed program: in the folders of `PATH`, and then in further ones.
 * @param {readonly string[]} names names of the program; in each folder the first one that exists is used
 * @param {readonly string[]} [furtherFolders] e.g. `/usr/sbin`, which is not in the `PATH` of every user
 * @returns {string | undefined} the path of the program; undefined if it is missing
 */
export function findExecutable(names, furtherFolders = []) {
  const folders = [...(process.env['PATH'] ?? '').split(delimiter), ...furtherFolders];
  return folders.flatMap((folder) => names.map((name) => join(folder, name))).find(isExecutable);
}

/**
 * Returns whether a file exists and may be executed.
 * @param {string} path
 */
export function isExecutable(path) {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    // The file does not exist or may not be executed.
    return false;
  }
}

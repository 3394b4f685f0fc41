import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** A migration that changes the schema to the next version, from a file `NNNN_name.sql`. */
export interface MigrationFile {
  readonly version: number;
  readonly name: string;
  readonly sql: string;
  readonly sha256: Buffer;
}

const pattern = /^(\d{4})_([a-z0-9_]+)\.sql$/;

/** Reads all migrations of a folder, ordered by number. Throws on an invalid name or a duplicate number. */
export async function readMigrationFiles(directory: string): Promise<readonly MigrationFile[]> {
  const names = (await readdir(directory)).filter((name) => name.endsWith('.sql')).sort();
  const files = await Promise.all(names.map((name) => readMigrationFile(directory, name)));
  for (const [index, file] of files.entries()) {
    if (files[index - 1]?.version === file.version) {
      throw new Error(
        `two migrations have the number ${file.version}: ${names[index - 1]} and ${names[index]}`,
      );
    }
  }
  return files;
}

async function readMigrationFile(directory: string, fileName: string): Promise<MigrationFile> {
  const [, number, name] = pattern.exec(fileName) ?? [];
  if (number === undefined || name === undefined || Number(number) === 0) {
    throw new Error(`${join(directory, fileName)} is not named like 0001_what_it_does.sql`);
  }
  // A checkout on Windows may end lines with CRLF; this does not count as a changed file.
  const sql = (await readFile(join(directory, fileName), 'utf8')).replaceAll('\r\n', '\n');
  return { version: Number(number), name, sql, sha256: createHash('sha256').update(sql).digest() };
}

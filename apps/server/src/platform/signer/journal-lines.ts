import { createReadStream } from 'node:fs';
import { join } from 'node:path';

/**
 * Reads the complete lines of a signer's journal, oldest first, without changing the file: a signer may be writing to it,
 * and it may be a copy. An incomplete last line is left out. Throws when the file cannot be read.
 */
export async function* readJournalLines(folder: string, fileName: string): AsyncGenerator<string, void> {
  let unfinished = '';
  for await (const chunk of createReadStream(join(folder, fileName), 'utf8')) {
    const lines = `${unfinished}${chunk as string}`.split('\n');
    unfinished = lines.pop()!;
    for (const line of lines) if (line !== '') yield line;
  }
}

import { createReadStream } from 'node:fs';
import { join } from 'node:path';

/**
 * Reads the complete lines of a signer's journal, oldest first, without changing the file. A signer may be writing to
 * the file meanwhile, so an incomplete last line is omitted. Throws if the file cannot be read.
 */
export async function* readJournalLines(folder: string, fileName: string): AsyncGenerator<string, void> {
  let unfinished = '';
  for await (const chunk of createReadStream(join(folder, fileName), 'utf8')) {
    const lines = `${unfinished}${chunk as string}`.split('\n');
    unfinished = lines.pop()!;
    for (const line of lines) if (line !== '') yield line;
  }
}

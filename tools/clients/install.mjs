/** Installs the client libraries for trading programs that the tests run. The exchange itself never loads them. */
import { fileURLToPath } from 'node:url';
import { ensureInstalled } from '../bootstrap/install.mjs';

ensureInstalled(fileURLToPath(new URL('.', import.meta.url)), console.log);

/** Installs the trading clients that the tests run. They are not part of the exchange, which never loads them. */
import { fileURLToPath } from 'node:url';
import { ensureInstalled } from '../bootstrap/install.mjs';

ensureInstalled(fileURLToPath(new URL('.', import.meta.url)), console.log);

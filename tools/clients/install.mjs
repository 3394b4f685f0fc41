/** Installs the trading clients whose journeys the tests run. They are no part of the exchange, which never loads them. */
import { fileURLToPath } from 'node:url';
import { ensureInstalled } from '../bootstrap/install.mjs';

ensureInstalled(fileURLToPath(new URL('.', import.meta.url)), console.log);

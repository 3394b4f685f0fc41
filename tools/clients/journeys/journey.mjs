/**
 * Common parts of the test journeys of all client libraries: the URLs of the exchange, the keys of two accounts, and
 * waiting. A journey is a separate program, like a user's script. It exits with an error if the client library receives
 * an unexpected answer.
 */
import assert from 'node:assert/strict';
import { setTimeout as pause } from 'node:timers/promises';

/** URL of the exchange, such as `http://localhost:3000`. */
export const API_URL = required('API_URL');
/** URL of the exchange for streams, such as `ws://localhost:3000`. */
export const STREAM_URL = API_URL.replace('http', 'ws');
/** API key and secret of the account that trades. */
export const TRADER = { key: required('TRADER_KEY'), secret: required('TRADER_SECRET') };
/** API key and secret of the account that trades with the account of `TRADER`. */
export const MAKER = { key: required('MAKER_KEY'), secret: required('MAKER_SECRET') };

/**
 * Maximum time in milliseconds to wait until a check passes; the journey fails after it. A busy machine can need a long
 * time.
 */
const PATIENCE_MS = 60_000;
const RETRY_MS = 20;
const ACTION_EVERY_MS = 1_000;
/**
 * Maximum number of times that an action is repeated. The action may place an order that stays open, and the number of
 * open orders of an account is limited.
 */
const ACTIONS_MOST = 60;

/** Returns an environment variable; throws if it is not set. @param {string} name @returns {string} */
function required(name) {
  const value = process.env[name];
  assert.ok(value, `${name} is not set`);
  return value;
}

/**
 * Repeats a check until it passes. Fails with the check's last error after a minute or after the given milliseconds.
 * @template T @param {() => T | Promise<T>} check @param {number} [patienceMs] @returns {Promise<T>}
 */
export async function eventually(check, patienceMs = PATIENCE_MS) {
  const deadline = performance.now() + patienceMs;
  for (;;) {
    try {
      return await check();
    } catch (error) {
      if (performance.now() > deadline) throw error;
      await pause(RETRY_MS);
    }
  }
}

/**
 * Repeats an action once a second until the check passes. The check is repeated between the actions. One action is not
 * enough, because a stream only sends events after its subscription has arrived, and most client libraries do not wait
 * for that. Fails with the last error after ACTIONS_MOST actions.
 * @param {() => Promise<unknown>} act @param {() => void} check @returns {Promise<void>}
 */
export async function actUntil(act, check) {
  for (let count = 1; ; count += 1) {
    await act();
    try {
      await eventually(check, ACTION_EVERY_MS);
      return;
    } catch (error) {
      if (count >= ACTIONS_MOST) throw error;
    }
  }
}

/**
 * Calls `send` until it is refused, at most `most` times. Returns the refusal. Fails if all are admitted.
 * @param {() => Promise<unknown>} send @param {number} [most] @returns {Promise<any>}
 */
export async function refusalAfter(send, most = 150) {
  for (let count = 0; count < most; count += 1) {
    try {
      await send();
    } catch (error) {
      return error;
    }
  }
  return assert.fail(`${most} requests were admitted`);
}

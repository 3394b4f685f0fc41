import { configure } from '@testing-library/dom';

/**
 * How long a test waits for something to come on its page. A second, as the library has it, is too short where
 * other guests of the host take the processor away; only a test that fails ever waits this long.
 */
const PATIENCE_MS = 10_000;

configure({ asyncUtilTimeout: PATIENCE_MS });

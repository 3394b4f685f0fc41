import { uploadFile } from '@exchange/wire/file.ts';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { CallFailed } from '../api/client.ts';
import { STALLED_MS, upload } from './use-upload.ts';

/** A mocked XMLHttpRequest whose events the test dispatches. */
class DrivenRequest extends EventTarget {
  static last: DrivenRequest;
  readonly upload = new EventTarget();
  status = 200;
  responseText = JSON.stringify({ code: 1, msg: '', data: { id: 'p1', width: 10, height: 10 } });
  isAborted = false;
  timeout = 0;
  constructor() {
    super();
    DrivenRequest.last = this;
  }
  open() {}
  setRequestHeader() {}
  send() {}
  abort() {
    this.isAborted = true;
  }
  move(loaded: number) {
    this.upload.dispatchEvent(Object.assign(new Event('progress'), { loaded, total: 100 }));
  }
}

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal('XMLHttpRequest', DrivenRequest);
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

function start() {
  const percents: number[] = [];
  const sent = upload(uploadFile, { purpose: 'identity' }, new Blob(['x']), {
    signal: new AbortController().signal,
    onProgress: (percent) => percents.push(percent),
  });
  return { sent, percents };
}

it('WEB-1007 an upload that makes progress has no time limit', async () => {
  const { sent, percents } = start();
  for (let percent = 10; percent <= 100; percent += 10) {
    await vi.advanceTimersByTimeAsync(STALLED_MS - 1);
    DrivenRequest.last.move(percent);
  }
  expect(DrivenRequest.last.timeout).toBe(0);
  DrivenRequest.last.dispatchEvent(new Event('load'));
  DrivenRequest.last.dispatchEvent(new Event('loadend'));
  expect((await sent).id).toBe('p1');
  expect(percents.at(-1)).toBe(100);
  await vi.advanceTimersByTimeAsync(2 * STALLED_MS);
  expect(DrivenRequest.last.isAborted).toBe(false);
});

it('WEB-1007 an upload without progress is aborted with a timeout', async () => {
  const { sent } = start();
  const failed = sent.catch((error: unknown) => error);
  DrivenRequest.last.move(40);
  await vi.advanceTimersByTimeAsync(STALLED_MS);
  const error = await failed;
  expect(error).toBeInstanceOf(CallFailed);
  expect((error as CallFailed).reason).toBe('timeout');
  expect(DrivenRequest.last.isAborted).toBe(true);
});

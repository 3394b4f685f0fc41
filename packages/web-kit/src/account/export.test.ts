import type { ServerResponse } from 'node:http';
import { act, renderHook, waitFor } from '@testing-library/react';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { type PageRequest, type PageServer, startPageServer } from '../api/testing/page-server.ts';
import { loadAllWords } from '../i18n/words.ts';
import { stopClock } from '../market/testing/stopped-clock.ts';
import { endSession, signedIn, startSession } from '../session/session-store.ts';
import { type ExportRequest, IncompleteDownload, downloadExport, startExport, useExport } from './export.ts';

const YEAR_MS = 366 * 86_400_000;
const END = Date.UTC(2026, 10, 21);
const ASKED: ExportRequest = {
  kind: 'orders',
  filters: { baseCoin: 'BTC', tradeType: '1', startTime: END - YEAR_MS, endTime: END },
};
const FILE_HEADERS = {
  'content-type': 'text/csv; charset=utf-8',
  'content-disposition': 'attachment; filename="orders-2025-11-20-2026-11-21.csv"',
  'access-control-allow-origin': '*',
};
const ROW = 'a,b\r\n';

type Answer = (response: ServerResponse) => void;

let server: PageServer;
let received: PageRequest[] = [];
let answer: Answer;
let saved: { name: string; text: Promise<string> }[] = [];

function envelope(fields: object): Answer {
  return (response) =>
    response
      .writeHead(200, { 'content-type': 'application/json', 'access-control-allow-origin': '*' })
      .end(JSON.stringify(fields));
}

/**
 * Answers a request with a file that is sent in `parts` chunks, with delays. Afterwards the response ends
 * (`whole`), the connection is reset (`cut`), or nothing more is sent (`silent`).
 */
function file(parts: number, ends: 'whole' | 'cut' | 'silent'): Answer {
  return (response) => {
    response.writeHead(200, FILE_HEADERS);
    let chunkCount = 0;
    const sendNext = () => {
      if (response.destroyed) return;
      if (chunkCount < parts) {
        chunkCount += 1;
        response.write(ROW.repeat(1_000), () => setTimeout(sendNext, 2));
      } else if (ends === 'whole') response.end();
      else if (ends === 'cut') response.socket?.resetAndDestroy();
    };
    sendNext();
  };
}

beforeAll(async () => {
  await loadAllWords();
  server = await startPageServer((request, response) => {
    received.push(request);
    answer(response);
  });
});

afterAll(() => server.stop());

beforeEach(() => {
  received = [];
  saved = [];
  let file: Blob | undefined;
  startSession({ userId: 'u', token: 'secret', email: 'a@b.example' });
  // Replaces the browser's download of a blob URL: stores the file under the name in the link.
  vi.spyOn(URL, 'createObjectURL').mockImplementation((blob) => {
    file = blob as Blob;
    return 'blob:saved';
  });
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (this: HTMLAnchorElement) {
    if (this.href === 'blob:saved') saved.push({ name: this.download, text: file!.text() });
  });
});

afterEach(() => vi.restoreAllMocks());

describe('an export', () => {
  it('SPOT-244 sends a form with the session and saves the complete file under the name from the server', async () => {
    answer = file(20, 'whole');
    const { result } = renderHook(() => useExport());
    await act(() => result.current.start(ASKED));
    expect(received).toMatchObject([
      { url: '/bb/app/account/export', headers: { 'x-access-token': 'secret' } },
    ]);
    expect(Object.fromEntries(received[0]!.form)).toEqual({
      kind: 'orders',
      format: 'csv',
      baseCoin: 'BTC',
      tradeType: '1',
      startTime: String(END - YEAR_MS),
      endTime: String(END),
    });
    expect(saved.map(({ name }) => name)).toEqual(['orders-2025-11-20-2026-11-21.csv']);
    expect(await saved[0]!.text).toBe(ROW.repeat(20_000));
    expect(result.current.state).toMatchObject({ status: 'saved', bytes: 20_000 * ROW.length });
    expect(result.current.sentence).toBe('orders-2025-11-20-2026-11-21.csv saved.');
  });

  it('SPOT-245 shows the refusal of the server and saves nothing', async () => {
    const { result } = renderHook(() => useExport());
    answer = envelope({ code: 0, msg: 'One export is running.', errKey: 'l.export_running', data: {} });
    await act(() => result.current.start(ASKED));
    expect(result.current.state).toMatchObject({ status: 'failed', error: { errKey: 'l.export_running' } });
    expect(result.current.sentence).toBe('One export is running.');
    answer = envelope({ code: -2, msg: 'ended' });
    await act(() => result.current.start(ASKED));
    expect(signedIn()).toBe(false);
    expect(saved).toEqual([]);
  });

  it.each([
    ['logs out', () => endSession()],
    ['is replaced', () => startSession({ userId: 'v', token: 'other', email: 'v@b.example' })],
  ])('WEB-921 stops silently without saving when the user %s', async (_, change) => {
    answer = file(200, 'whole');
    const { result } = renderHook(() => useExport());
    let running: Promise<void> | undefined;
    act(() => void (running = result.current.start(ASKED)));
    await waitFor(() => expect(result.current.state).toMatchObject({ status: 'running' }));
    await waitFor(() => expect((result.current.state as { bytes: number }).bytes).toBeGreaterThan(0));
    act(change);
    expect(result.current).toMatchObject({ state: { status: 'idle' }, sentence: '' });
    await act(() => running);
    expect(saved).toEqual([]);
    expect(result.current).toMatchObject({ state: { status: 'idle' }, sentence: '' });
  });

  it('WEB-921 shows the next user nothing about a previous file', async () => {
    answer = file(2, 'whole');
    const { result } = renderHook(() => useExport());
    await act(() => result.current.start(ASKED));
    expect(result.current.sentence).not.toBe('');
    act(() => endSession());
    expect(result.current.sentence).toBe('');
  });

  it('SPOT-245 refuses a period that is too long on the device, without a request', async () => {
    const { result } = renderHook(() => useExport());
    const filters = { startTime: END - YEAR_MS - 1, endTime: END };
    await act(() => result.current.start({ kind: 'fills', filters }));
    expect(result.current.sentence).toBe('An export covers at most 366 days. You chose 367.');
    expect(received).toEqual([]);
  });

  it('SPOT-246 an incomplete download saves nothing and is reported', async () => {
    answer = file(5, 'cut');
    const { result } = renderHook(() => useExport());
    await act(() => result.current.start(ASKED));
    expect(result.current.state).toMatchObject({ status: 'failed' });
    expect(result.current.sentence).toMatch(/connection was lost/);
    expect(saved).toEqual([]);
  });

  it('SPOT-246 a stalled download counts as incomplete', async () => {
    const letTimersRun = stopClock();
    answer = file(3, 'silent');
    const { signal } = new AbortController();
    let loaded = 0;
    const cutOff = downloadExport(ASKED.kind, ASKED.filters, {
      signal,
      onBytes: (bytes) => (loaded = bytes),
    });
    cutOff.catch(() => undefined);
    await waitFor(() => expect(loaded).toBe(3_000 * ROW.length));
    await letTimersRun();
    await expect(cutOff).rejects.toBeInstanceOf(IncompleteDownload);
  });

  it('SPOT-247 runs once at a time, shows its progress on every screen, and can be stopped', async () => {
    answer = file(1_000_000, 'whole');
    const [firstHook, secondHook] = [renderHook(() => useExport()), renderHook(() => useExport())];
    const firstExport = firstHook.result.current.start(ASKED);
    await waitFor(() => {
      const { state } = secondHook.result.current;
      expect(state.status === 'running' && state.bytes > 0).toBe(true);
    });
    expect(secondHook.result.current.sentence).toMatch(/^Exporting… \d+\.\d MB$/);
    await startExport(ASKED);
    expect(received).toHaveLength(1);
    secondHook.result.current.cancel();
    await act(() => firstExport);
    expect(firstHook.result.current.state).toEqual({ status: 'idle' });
    expect(firstHook.result.current.sentence).toBe('');
    expect(saved).toEqual([]);
  });
});

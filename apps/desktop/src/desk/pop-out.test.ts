import { expect, it, vi } from 'vitest';
import { followPage } from './pop-out.ts';

it('DESK-031 DESK-149 Escape in a window of its own reaches every listener of the page once, other keys none', () => {
  const opened = Object.assign(new EventTarget(), { document: document.implementation.createHTMLDocument() });
  const stop = followPage(opened as unknown as Window);
  const [onDocument, onWindow] = [vi.fn<() => void>(), vi.fn<() => void>()];
  document.addEventListener('keydown', onDocument, { capture: true });
  window.addEventListener('keydown', onWindow, { capture: true });
  const press = (key: string) => opened.dispatchEvent(new KeyboardEvent('keydown', { key }));
  press('a');
  press('Escape');
  expect([onDocument.mock.calls.length, onWindow.mock.calls.length]).toEqual([1, 1]);
  stop();
  press('Escape');
  expect(onDocument).toHaveBeenCalledTimes(1);
  document.removeEventListener('keydown', onDocument, { capture: true });
  window.removeEventListener('keydown', onWindow, { capture: true });
});

import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { copyText } from './clipboard.ts';

let copied: string | undefined;
let button: HTMLButtonElement;

/** Replaces the browser's `copy` command: stores the selected text of the focused field in `copied`. */
function copySelection(): boolean {
  const { value, selectionStart, selectionEnd } = document.activeElement as HTMLTextAreaElement;
  copied = value.slice(selectionStart, selectionEnd);
  return true;
}

function withClipboard(clipboard: Pick<Clipboard, 'writeText'> | undefined): void {
  vi.spyOn(navigator, 'clipboard', 'get').mockReturnValue(clipboard as Clipboard);
}

function withCommand(command: () => boolean): void {
  Object.defineProperty(document, 'execCommand', {
    configurable: true,
    value: command,
  });
}

beforeEach(() => {
  copied = undefined;
  button = document.createElement('button');
  document.body.append(button);
  button.focus();
});
afterEach(() => {
  vi.restoreAllMocks();
  Reflect.deleteProperty(document, 'execCommand');
  document.body.replaceChildren();
});

it('WEB-1241 a text is copied with the interface of the browser', async () => {
  withClipboard({
    writeText: async (text) => {
      copied = text;
    },
  });
  expect(await copyText('bc1q')).toBe(true);
  expect(copied).toBe('bc1q');
});

it.each([
  ['has no clipboard interface', undefined],
  ['denies the interface', { writeText: () => Promise.reject(new DOMException('denied')) }],
])(
  'WEB-1241 on a page that %s the text is copied from a field, which leaves nothing behind',
  async (_, clipboard) => {
    withClipboard(clipboard);
    withCommand(copySelection);
    expect(await copyText('two\nlines')).toBe(true);
    expect(copied).toBe('two\nlines');
    expect(document.querySelector('textarea')).toBeNull();
    expect(document.activeElement).toBe(button);
  },
);

it('WEB-1241 the field is within the open dialog, which would refuse the focus to another', async () => {
  const dialog = document.createElement('div');
  dialog.setAttribute('role', 'dialog');
  document.body.append(dialog);
  dialog.append(button);
  button.focus();
  withClipboard(undefined);
  withCommand(() => dialog.contains(document.activeElement) && copySelection());
  expect(await copyText('key')).toBe(true);
  expect(copied).toBe('key');
});

it.each([
  ['refuses to copy', () => false],
  ['does not know the command', undefined],
])('WEB-1241 a browser that %s is reported', async (_, command) => {
  withClipboard(undefined);
  if (command !== undefined) withCommand(command);
  expect(await copyText('key')).toBe(false);
  expect(document.querySelector('textarea')).toBeNull();
});

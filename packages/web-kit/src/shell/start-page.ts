import type { Locale } from '@exchange/core/locale.ts';
import { rememberedLocale, loadFirstWords } from '../i18n/words.ts';

/**
 * Failure message and button label by language. They are part of the initial script, because they are shown when
 * loading other files has failed.
 */
const FAILURE: Readonly<Record<Locale, readonly [sentence: string, action: string]>> = {
  'en-US': ['This page could not be loaded. Check your connection and try again.', 'Reload'],
  'zh-CN': ['页面加载失败，请检查网络后重试。', '重新加载'],
  'ko-KR': ['페이지를 불러오지 못했습니다. 연결 상태를 확인한 후 다시 시도해 주세요.', '새로고침'],
  'ja-JP': ['ページを読み込めませんでした。接続を確認して、もう一度お試しください。', '再読み込み'],
};

/**
 * Loads the texts of the first screen, then calls `render`. When the texts cannot be loaded, shows a message with a
 * reload button instead of a blank page, and reloads the page when the browser is online again.
 */
export async function startPage(root: HTMLElement, render: () => void): Promise<void> {
  try {
    await loadFirstWords();
  } catch {
    showFailure(root);
    return;
  }
  render();
}

function showFailure(root: HTMLElement): void {
  const locale = rememberedLocale();
  const [sentence, action] = FAILURE[locale];
  const reload = () => window.location.reload();
  const text = document.createElement('p');
  text.textContent = sentence;
  const button = document.createElement('button');
  button.type = 'button';
  button.textContent = action;
  button.addEventListener('click', reload);
  const note = document.createElement('main');
  note.lang = locale;
  note.setAttribute('role', 'alert');
  note.className = 'start-failure';
  note.append(text, button);
  document.getElementById('first-shape')?.remove();
  root.replaceChildren(note);
  window.addEventListener('online', reload, { once: true });
}

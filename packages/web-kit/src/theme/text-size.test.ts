import { afterEach, expect, it, vi } from 'vitest';

afterEach(() => {
  document.documentElement.style.fontSize = '';
  vi.resetModules();
});

it('WEB-1011 sizes computed in scripts follow the font size of the browser, in whole pixels', async () => {
  document.documentElement.style.fontSize = '20px';
  const enlarged = await import('./text-size.ts');
  expect([20, 26].map(enlarged.scaledPx)).toEqual([25, 33]);
  vi.resetModules();
  document.documentElement.style.fontSize = '16px';
  const usual = await import('./text-size.ts');
  expect([20, 26].map(usual.scaledPx)).toEqual([20, 26]);
});

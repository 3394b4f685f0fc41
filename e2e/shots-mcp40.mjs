import { chromium } from 'playwright-core';
const base = process.argv[2];
const browser = await chromium.launch({ executablePath: '/usr/lib/chromium/chromium-headless-shell' });
const day = 86_400_000;
const key = (over) => ({ id: '0190a000-0000-7000-8000-000000000001', name: 'Payouts', key: 'K'.repeat(64), kind: 'hmac', trade: 0, transfer: 0, withdrawalLimit: '2500', withdrawsFrom: Date.now() + day, addresses: ['203.0.113.7'], createTime: Date.now(), expireTime: 0, lastUsedTime: 0, lastUsedAddress: '', ...over });
for (const [name, width, height, path, scheme, locale] of [['pc', 1300, 900, '/pc', 'dark', 'en-US'], ['m', 390, 844, '', 'light', 'zh-CN'], ['m360', 360, 780, '', 'dark', 'ja-JP']]) {
  const context = await browser.newContext({ baseURL: base, viewport: { width, height }, colorScheme: scheme, locale, reducedMotion: 'reduce' });
  const login = await (await context.request.post('/bb/app/user/demoLogin')).json();
  const page = await context.newPage();
  await page.goto('/favicon.svg');
  const { userId, email, token } = login.data;
  await page.evaluate(async ([u, e, t]) => {
    const keys = { userId: u, email: e, token: t };
    window.__k = keys;
  }, [userId, email, token]);
  globalThis.session = { userId, email, token };
  const names = JSON.parse(process.argv[3]);
  await page.evaluate((entries) => { for (const [k, v] of entries) localStorage.setItem(k, v); }, [[names.userId, userId], [names.email, email], [names.login, '1'], [names.purchase, '1'], [names.token, token]]);
  await page.route('**/user/getApiKeys', (route) => route.fulfill({ contentType: 'application/json', body: JSON.stringify({ code: 1, msg: 'success', data: { list: [key({}), key({ id: '0190a000-0000-7000-8000-000000000002', name: 'Bot', withdrawalLimit: undefined, withdrawsFrom: 0, trade: 1 })] } }) }));
  await page.goto(`${path}/setting/api-keys`);
  await page.waitForTimeout(4000);
  await page.screenshot({ path: `/tmp/mcp40/${name}-list.png` });
  const create = page.getByRole('button', { name: /Create API key|创建 API 密钥|APIキーを作成|API 키/ }).last();
  await create.click();
  await page.waitForTimeout(500);
  const boxes = page.getByRole('checkbox');
  await boxes.nth(2).click();
  await page.waitForTimeout(500);
  await page.screenshot({ path: `/tmp/mcp40/${name}-form.png`, fullPage: true });
  await page.getByRole('textbox').nth(1).scrollIntoViewIfNeeded();
  await page.screenshot({ path: `/tmp/mcp40/${name}-form2.png` });
  await context.close();
}
await browser.close();

import { describe, expect, it } from 'vitest';
import { drawPoster } from './poster.ts';

/** A mocked canvas that records the drawing calls; in it, every character is 20 pixels wide. */
function recordedCanvas() {
  const texts: string[] = [];
  let cells = 0;
  const pen = {
    createLinearGradient: () => ({ addColorStop: () => undefined }),
    fillText: (text: string) => texts.push(text),
    fillRect: () => (cells += 1),
    measureText: (text: string) => ({ width: text.length * 20 }),
    beginPath: () => undefined,
    moveTo: () => undefined,
    lineTo: () => undefined,
    fill: () => undefined,
    roundRect: () => undefined,
  };
  const canvas = { width: 0, height: 0, getContext: () => pen } as unknown as HTMLCanvasElement;
  return { canvas, texts, cells: () => cells };
}

const POSTER = {
  brand: 'Amethyst',
  title: 'Trade where no one can rig the price',
  text: '使用我的邀请码注册，几分钟即可开始交易，现货交易手续费返还百分之五，全部公开透明。',
  codeLabel: 'Invitation code',
  code: 'HF74NCHA',
  link: 'https://example.com/login/register?code=HF74NCHA',
};

describe('the poster of an invitation', () => {
  it('INV-007 contains its texts, the code, and the link as a QR code', () => {
    const { canvas, texts, cells } = recordedCanvas();
    drawPoster(canvas, POSTER);
    expect([canvas.width, canvas.height]).toEqual([750, 1200]);
    expect(texts).toContain('HF74NCHA');
    expect(texts[0]).toBe('Amethyst');
    // Number of rectangles drawn for the dark cells of the QR code.
    expect(cells()).toBeGreaterThan(200);
  });

  it('INV-007 breaks words at spaces and Chinese between characters, without losing any', () => {
    const { canvas, texts } = recordedCanvas();
    drawPoster(canvas, POSTER);
    const lines = texts.slice(1, -2);
    expect(lines.join(' ').replaceAll(' ', '')).toBe((POSTER.title + POSTER.text).replaceAll(' ', ''));
    for (const line of lines) expect(line.length * 20).toBeLessThanOrEqual(750 - 120);
    const ended = recordedCanvas();
    drawPoster(ended.canvas, {
      ...POSTER,
      text: `${'返'.repeat(27)}100%。`,
    });
    expect(ended.texts).toContain('100%。');
  });

  it('INV-007 keeps a Japanese word and its ending together', () => {
    const { canvas, texts } = recordedCanvas();
    drawPoster(canvas, { ...POSTER, title: '誰にも価格を操作できない取引所'.repeat(3) });
    expect(texts[1]).toMatch(/(できない|所|誰にも|価格を)$/);
    for (const text of texts) expect(text).not.toMatch(/^(きない|でき|ない|にも|を)/);
  });
});

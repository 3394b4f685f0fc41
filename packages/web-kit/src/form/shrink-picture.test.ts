import { UPLOAD_PIXELS_MAX } from '@exchange/core/upload.ts';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { acceptedFileTypes, preparePicture, sentSize } from './shrink-picture.ts';

afterEach(() => vi.unstubAllGlobals());

describe('the size of an uploaded picture', () => {
  it.each([
    [4_000, 3_000, { width: 3_200, height: 2_400 }],
    [3_000, 4_000, { width: 2_400, height: 3_200 }],
    [8_160, 6_120, { width: 3_200, height: 2_400 }],
    [1_600, 1_200, { width: 1_600, height: 1_200 }],
    // The shorter side of a long receipt stays at 1,000 pixels, so that the text is legible.
    [1_200, 9_600, { width: 1_000, height: 8_000 }],
    [900, 7_200, { width: 900, height: 7_200 }],
  ])('WEB-1006 %i × %i pixels of a document', (width, height, sent) =>
    expect(sentSize({ width, height }, 'identity')).toEqual(sent),
  );

  it('WEB-1006 never exceeds the server’s limit, and is small for an avatar', () => {
    const { width, height } = sentSize({ width: 60_000, height: 3_000 }, 'proof');
    expect(width * height).toBeLessThan(UPLOAD_PIXELS_MAX);
    expect(sentSize({ width: 4_000, height: 3_000 }, 'avatar')).toEqual({ width: 1_333, height: 1_000 });
  });
});

describe('a chosen picture', () => {
  const opens = (width: number, height: number) =>
    vi.stubGlobal('createImageBitmap', async () => ({ width, height, close: () => undefined }));
  const opensNothing = () =>
    vi.stubGlobal('createImageBitmap', async () => {
      throw new Error('not an image');
    });

  it('WEB-1006 that is small enough is sent unchanged', async () => {
    opens(1_600, 1_200);
    const file = new Blob(['jpeg'], { type: 'image/jpeg' });
    expect(await preparePicture(file, 'identity')).toEqual({
      kind: 'ready',
      picture: file,
      size: { width: 1_600, height: 1_200 },
    });
  });

  it('WEB-1006 in HEIC that the browser cannot open is detected by its content', async () => {
    opensNothing();
    const start = new Uint8Array([0, 0, 0, 24, ...new TextEncoder().encode('ftypheic'), 0, 0]);
    expect(await preparePicture(new Blob([start]), 'identity')).toEqual({ kind: 'heic' });
    expect(await preparePicture(new Blob(['%PDF-1.7 and more']), 'identity')).toEqual({ kind: 'unknown' });
  });
});

it('WEB-1006 iPhones are not offered HEIC, so that they convert to JPEG; other devices are', () => {
  vi.stubGlobal('navigator', { userAgent: 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0)', maxTouchPoints: 5 });
  expect(acceptedFileTypes()).toBe('image/jpeg,image/png,image/webp');
  vi.stubGlobal('navigator', { userAgent: 'Mozilla/5.0 (X11; Linux x86_64)', maxTouchPoints: 0 });
  expect(acceptedFileTypes()).toContain('.heic');
});

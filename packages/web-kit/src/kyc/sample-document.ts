/** Pixels of a card of the usual shape. */
const [WIDTH, HEIGHT] = [1_000, 630];

/** A drawn card that is plainly no document, for a demo. */
export async function sampleDocument(side: 'front' | 'back', words: readonly string[]): Promise<Blob> {
  const canvas = document.createElement('canvas');
  canvas.width = WIDTH;
  canvas.height = HEIGHT;
  const pen = canvas.getContext('2d');
  if (pen === null) throw new Error('this browser draws nothing');
  pen.fillStyle = side === 'front' ? '#ddd6fe' : '#e2e8f0';
  pen.fillRect(0, 0, WIDTH, HEIGHT);
  pen.fillStyle = '#4c1d95';
  pen.fillRect(0, 0, WIDTH, 90);
  pen.fillStyle = '#ffffff';
  pen.font = 'bold 44px sans-serif';
  pen.fillText('SAMPLE', 40, 60);
  pen.fillStyle = '#1e1b2e';
  if (side === 'front') {
    pen.fillStyle = '#a78bfa';
    pen.fillRect(40, 140, 260, 330);
    pen.fillStyle = '#1e1b2e';
    pen.font = '36px sans-serif';
    for (const [line, text] of words.entries()) pen.fillText(text, 350, 190 + line * 80);
  } else {
    for (let line = 0; line < 5; line += 1) pen.fillRect(40, 160 + line * 70, WIDTH - 80 - line * 60, 24);
  }
  return new Promise((resolve, reject) => {
    canvas.toBlob(
      (blob) => (blob === null ? reject(new Error('no picture')) : resolve(blob)),
      'image/jpeg',
      0.9,
    );
  });
}

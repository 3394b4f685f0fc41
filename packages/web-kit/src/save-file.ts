/** Delay before the blob's memory is released; browsers may start writing the file late. */
const RELEASE_AFTER_MS = 60_000;

/** Downloads a file through the browser. */
export function saveFile(file: Blob, name: string): void {
  const address = URL.createObjectURL(file);
  const link = document.createElement('a');
  link.href = address;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), RELEASE_AFTER_MS);
}

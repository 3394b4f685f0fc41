/** As long as a browser may take to begin writing; the file's memory is given back after it. */
const KEPT_MS = 60_000;

/** Hands a file to the browser, which keeps it among the downloads. */
export function saveFile(file: Blob, name: string): void {
  const address = URL.createObjectURL(file);
  const link = document.createElement('a');
  link.href = address;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), KEPT_MS);
}

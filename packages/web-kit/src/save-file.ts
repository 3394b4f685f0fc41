/** Milliseconds after which the memory of the file is released; browsers may begin late to write the file. */
const RELEASE_AFTER_MS = 60_000;

/** Lets the browser download a file under the given name. */
export function saveFile(file: Blob, name: string): void {
  const address = URL.createObjectURL(file);
  const link = document.createElement('a');
  link.href = address;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), RELEASE_AFTER_MS);
}

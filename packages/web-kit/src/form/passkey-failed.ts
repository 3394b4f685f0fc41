/**
 * Thrown when the device created or used no passkey, because the user cancelled or the device cannot.
 * `message` is a translation key.
 */
export class PasskeyFailed extends Error {
  override readonly name = 'PasskeyFailed';
}

/**
 * Thrown when the device created or used no passkey: the user cancelled, the device cannot, or it already has
 * one. `message` is a translation key.
 */
export class PasskeyFailed extends Error {
  override readonly name = 'PasskeyFailed';
}

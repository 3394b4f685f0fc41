/**
 * Thrown when the device created or used no passkey, because the user cancelled, the device has no such function, or it
 * already has a passkey of the account. `message` is a translation key.
 */
export class PasskeyFailed extends Error {
  override readonly name = 'PasskeyFailed';
}

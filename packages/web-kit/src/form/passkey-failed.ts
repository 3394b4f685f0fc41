/** The device made or used no passkey: the user cancelled, or it cannot. `message` is a translation key. */
export class PasskeyFailed extends Error {
  override readonly name = 'PasskeyFailed';
}

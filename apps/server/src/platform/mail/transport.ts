import type { Instant } from '@exchange/core/time.ts';
import type { Transporter } from 'nodemailer';
import { errorMessage } from '../error-message.ts';

export interface SentMessage {
  readonly id: string;
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly writtenAt: Instant;
}

/** Interface of objects that send emails. `send` rejects if the mail server does not accept the message. */
export interface MailTransport {
  send(message: SentMessage): Promise<void>;
  close(): void;
}

export interface SmtpOptions {
  /** URL of the SMTP server that sends the emails: `smtp://user:password@host:port` or `smtps://…`. */
  readonly url: string;
  /** The sender address of the emails, e.g. `Amethyst <no-reply@example.com>`. */
  readonly from: string;
}

const TIMEOUT_MS = 20_000;

/** Sends emails through an SMTP server. The mail library is loaded with the first message. */
export class SmtpTransport implements MailTransport {
  private readonly options: SmtpOptions;
  private transport: Promise<Transporter> | undefined;

  constructor(options: SmtpOptions) {
    this.options = options;
  }

  async send(message: SentMessage): Promise<void> {
    this.transport ??= openTransport(this.options.url);
    const transport = await this.transport;
    await transport.sendMail({
      from: this.options.from,
      // The recipient is passed as an object, so that a crafted address is not parsed as two addresses.
      to: { name: '', address: message.to },
      subject: message.subject,
      text: message.text,
      date: new Date(message.writtenAt),
      // A message that is sent twice has the same Message-ID, so mail programs recognize the duplicate.
      messageId: `<${message.id}@${domainOf(this.options.from)}>`,
      headers: { 'Auto-Submitted': 'auto-generated' },
    });
  }

  close(): void {
    this.transport?.then(
      (transport) => transport.close(),
      () => undefined, // if opening the connection has failed, there is none to close
    );
  }
}

/**
 * Returns the reason why the mail server cannot be used, e.g. because it is unreachable or rejects the login;
 * undefined if it can be used.
 */
export async function smtpProblem(url: string, timeoutMs: number): Promise<string | undefined> {
  const transport = await openTransport(url, timeoutMs);
  try {
    await transport.verify();
    return undefined;
  } catch (cause) {
    return errorMessage(cause);
  } finally {
    transport.close();
  }
}

async function openTransport(url: string, timeoutMs = TIMEOUT_MS): Promise<Transporter> {
  const { createTransport } = await import('nodemailer');
  return createTransport({
    url,
    pool: true,
    maxConnections: 2,
    connectionTimeout: timeoutMs,
    greetingTimeout: timeoutMs,
    socketTimeout: timeoutMs,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
}

function domainOf(sender: string): string {
  return /@([A-Za-z0-9.-]+)/.exec(sender)?.[1] ?? 'localhost';
}

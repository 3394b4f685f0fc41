import { BASE_PATH } from '../paths.ts';

/**
 * URL path of the empty page that opens in a window of its own when the user moves a panel out of the desk.
 */
export const POPOUT_URL = `${BASE_PATH}/popout.html`;

/** Sets the document title of a panel's window: the panel's title, followed by the name of the exchange. */
export function nameWindow(opened: Window, title: string): void {
  opened.document.title = `${title} | Amethyst`;
}

/**
 * Makes a window of the desk look like the page: copies the attributes of the document's root (theme, price colours,
 * language, direction) and style sheets that load later, and follows their changes. Escape in the window also reaches
 * the page, which closes the topmost dialog or menu and disarms a price ladder. Returns a function that ends
 * the copying and the forwarding of Escape.
 */
export function followPage(opened: Window): () => void {
  const { document: target } = opened;
  copyAttributes(document.documentElement, target.documentElement);
  const attributes = new MutationObserver(() =>
    copyAttributes(document.documentElement, target.documentElement),
  );
  attributes.observe(document.documentElement, { attributes: true });
  const sheets = new MutationObserver((records) => {
    for (const { addedNodes } of records)
      for (const node of addedNodes) if (isStyle(node)) target.head.append(target.importNode(node, true));
  });
  sheets.observe(document.head, { childList: true });
  const forwardEscape = ({ key }: KeyboardEvent): void => {
    // A press of Escape in the window is dispatched again at the page's document; it bubbles, so that
    // listeners of the document and of the page's window receive it.
    if (key === 'Escape') document.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true }));
  };
  opened.addEventListener('keydown', forwardEscape, true);
  return () => {
    attributes.disconnect();
    sheets.disconnect();
    opened.removeEventListener('keydown', forwardEscape, true);
  };
}

function copyAttributes(from: Element, to: Element): void {
  for (const name of to.getAttributeNames()) if (!from.hasAttribute(name)) to.removeAttribute(name);
  for (const { name, value } of from.attributes) {
    // The attribute `style` is not copied, because the content security policy forbids style attributes; the page sets
    // its own styles by script.
    if (name !== 'style' && to.getAttribute(name) !== value) to.setAttribute(name, value);
  }
}

function isStyle(node: Node): boolean {
  return node instanceof HTMLStyleElement || (node instanceof HTMLLinkElement && node.rel === 'stylesheet');
}

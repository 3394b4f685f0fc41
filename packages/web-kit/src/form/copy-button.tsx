import { Copy } from 'lucide-react';
import { Button } from '../ui/button.tsx';
import { useCopy } from './use-copy.ts';

/** A text with a button that copies it. */
export function CopyButton({ text, label }: { readonly text: string; readonly label: string }) {
  const copy = useCopy();
  return (
    <Button
      look="secondary"
      size="s"
      icon={<Copy size={14} aria-hidden="true" />}
      onClick={() => void copy(text)}
    >
      {label}
    </Button>
  );
}

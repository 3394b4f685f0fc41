import { useState, type ChangeEvent, type CompositionEvent } from 'react';

type TextInput = HTMLInputElement | HTMLTextAreaElement;

/**
 * Props of a controlled text input that supports input methods (Japanese, Chinese, Korean). While an input method
 * composes text, the input shows that raw text: replacing it by a normalised value, such as `０．５` by `0.5`, would end
 * the composition and duplicate characters. `onTyped` is called with every change.
 */
export function useComposedInput(value: string, onTyped: (typed: string) => void) {
  const [composed, setComposed] = useState<string>();
  return {
    value: composed ?? value,
    onCompositionStart: ({ currentTarget }: CompositionEvent<TextInput>) => setComposed(currentTarget.value),
    onChange: ({ currentTarget, nativeEvent }: ChangeEvent<TextInput>) => {
      const isOver = 'isComposing' in nativeEvent && nativeEvent.isComposing === false;
      if (composed !== undefined) setComposed(isOver ? undefined : currentTarget.value);
      onTyped(currentTarget.value);
    },
    onCompositionEnd: ({ currentTarget }: CompositionEvent<TextInput>) => {
      setComposed(undefined);
      onTyped(currentTarget.value);
    },
  };
}

import { create } from 'zustand';
import { recall, remember } from '../storage.ts';

export type UpColour = 'green' | 'red';

const KEY = 'up-colour';

interface UpColourChoice {
  /** Undefined until the person chooses. */
  readonly chosen: UpColour | undefined;
  readonly choose: (colour: UpColour) => void;
}

/** The colour that this device's person has chosen for rising prices. */
export const useUpColourChoice = create<UpColourChoice>((set) => ({
  chosen: stored(),
  choose: (chosen) => {
    remember(KEY, chosen);
    set({ chosen });
  },
}));

function stored(): UpColour | undefined {
  const colour = recall(KEY);
  return colour === 'green' || colour === 'red' ? colour : undefined;
}

import './base.css';
import './tokens.css';
import { MantineProvider, createTheme, useComputedColorScheme, useMantineColorScheme } from '@mantine/core';
import '@mantine/core/styles/default-css-variables.layer.css';
import { type ReactNode, useEffect } from 'react';
import { create } from 'zustand';
import { currentLocale, onLocale, useLocale, type Locale } from '../i18n/words.ts';
import { recall, remember } from '../storage.ts';
import { setBrowserColour } from './surfaces.ts';

const theme = createTheme({ respectReducedMotion: true });

/** Theme of everything inside: dark or light as the system has it until the person chooses. */
export function Theme({ children }: { children: ReactNode }) {
  return (
    <MantineProvider
      theme={theme}
      defaultColorScheme="auto"
      // Its variables stand in our style sheets: the page policy allows no style element.
      withCssVariables={false}
      withGlobalClasses={false}
    >
      <UpColour />
      <BrowserColour />
      {children}
    </MantineProvider>
  );
}

function UpColour() {
  const colour = useUpDownColours().up;
  useEffect(() => {
    document.documentElement.dataset['upColour'] = colour;
  }, [colour]);
  return null;
}

/** Keeps the browser's own bars in the colour of the page. */
function BrowserColour() {
  const { scheme } = useColourScheme();
  useEffect(() => setBrowserColour(scheme), [scheme]);
  return null;
}

export type ColourSchemeChoice = 'system' | 'dark' | 'light';

/** The scheme in use, what was chosen, and the way to choose. */
export function useColourScheme() {
  // Holding transitions back for the change would take a style element.
  const { colorScheme, setColorScheme } = useMantineColorScheme({ keepTransitions: true });
  const scheme = useComputedColorScheme('dark', { getInitialValueInEffect: false });
  return {
    scheme,
    choice: colorScheme === 'auto' ? ('system' as const) : colorScheme,
    choose: (choice: ColourSchemeChoice) => setColorScheme(choice === 'system' ? 'auto' : choice),
  };
}

/** The colours of prices: green for rising and red for falling, red and green, or red and blue. */
export const UP_COLOURS = ['green', 'red', 'redBlue'] as const;
export type UpColour = (typeof UP_COLOURS)[number];

/** The word of the namespace `shell` for each choice. */
export const UP_COLOUR_WORDS = {
  green: 'greenUp',
  red: 'redUp',
  redBlue: 'redUpBlueDown',
} as const satisfies Readonly<Record<UpColour, string>>;

/** The colours that most readers of a language know from other exchanges and from the stock market, where not `green`. */
const USUAL_COLOURS: ReadonlyMap<Locale, UpColour> = new Map([
  ['zh-CN', 'red'],
  ['ko-KR', 'redBlue'],
]);

/** Until somebody chooses: red for rising in Chinese and Korean, green elsewhere. */
function coloursOf(locale: Locale): UpColour {
  return USUAL_COLOURS.has(locale) ? 'red' : 'green';
}

/** The colours of rising and falling prices, by language until they are chosen, and the way to choose them. */
export function useUpDownColours() {
  const { chosen, choose } = useUpColourChoice();
  const locale = useLocale();
  return { up: chosen ?? coloursOf(locale), choose };
}

const KEY = 'up-colour';

/**
 * Keeps the colours of prices when the language changes, until they are chosen: a person who knows Buy as green must
 * not find it red. Where the new language has other usual colours, `offered` asks once. Returns the way to stop.
 */
export function holdColoursAcrossLanguages(): () => void {
  let before = currentLocale();
  return onLocale(() => {
    const shown = coloursOf(before);
    before = currentLocale();
    // A question that was not answered is about the language before.
    useUpColourChoice.setState({ offered: undefined });
    if (useUpColourChoice.getState().chosen !== undefined || coloursOf(before) === shown) return;
    remember(KEY, shown);
    useUpColourChoice.setState({ chosen: shown, offered: USUAL_COLOURS.get(before) ?? 'green' });
  });
}

interface UpColourChoice {
  /** Undefined until the person chooses. */
  readonly chosen: UpColour | undefined;
  /** The usual colours of the language that was just chosen, while they are asked about. */
  readonly offered: UpColour | undefined;
  /** Chooses the colours and remembers them on this device; the question is answered by it. */
  readonly choose: (colour: UpColour) => void;
}

/** The colour that this device's person has chosen for rising prices. */
export const useUpColourChoice = create<UpColourChoice>((set) => ({
  chosen: stored(),
  offered: undefined,
  choose: (chosen) => {
    remember(KEY, chosen);
    set({ chosen, offered: undefined });
  },
}));

function stored(): UpColour | undefined {
  const colour = recall(KEY);
  return UP_COLOURS.find((known) => known === colour);
}

/**
 * The table of features that distinguish an instruction to a language model from a rule for people who work on the
 * project. Each feature has a weight. Only the attempt to lift the reader's own instructions suffices alone.
 */
import { pattern } from '../../text/pattern.ts';
import { ACTING_FEATURES } from './features-of-acting.ts';
import { HARM_FEATURES } from './features-of-harm.ts';
import { LIFTING_FEATURES } from './features-of-lifting.ts';
import { STANDING_FEATURES } from './features-of-standing.ts';
import { STEERING_FEATURES } from './features-of-steering.ts';
import type { InstructionFeature } from './instruction-feature.ts';
import { anywhere, onLines, signs } from './sentence-patterns.ts';

const HIDDEN_PLACE = pattern()`
  <!--|\[\/\/\]: #|font-size:\s?0|display:\s?none|color:\s?(?:white|#fff|transparent)|visibility:\s?hidden
  |opacity:\s?0(?![.\d])
`;

const CIRCUMSTANCES: readonly InstructionFeature[] = [
  { name: 'hidden_characters', weight: 0.4, mayHold: /[^\x00-\x7f]/, holds: ({ isHidden }) => isHidden },
  {
    name: 'hidden_place',
    weight: 0.3,
    mayHold: HIDDEN_PLACE,
    holds: onLines(HIDDEN_PLACE),
  },
  {
    name: 'spoken_about',
    weight: -0.5,
    holds: anywhere(
      signs(
        /prompt[- ]injections?|jailbreak(?:s|ing)?\b|\battack(?:er|ers|s)?\b|\bmalicious|\badversarial|\bowasp\b/,
        /tool poisoning|phrases like|such as [“"`]|\bdetector|\bscanner (?:shows|flags)|we flag\b/,
        /treat (?:text|content)/,
      ),
    ),
  },
];

export const INSTRUCTION_FEATURES: readonly InstructionFeature[] = [
  ...STANDING_FEATURES,
  ...LIFTING_FEATURES,
  ...STEERING_FEATURES,
  ...ACTING_FEATURES,
  ...HARM_FEATURES,
  ...CIRCUMSTANCES,
];

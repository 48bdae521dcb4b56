import { formatNumber } from '../../../lib/format.ts'
import { PRESETS, type Preset } from './alarm.ts'

interface PresetsProps {
  presets: readonly Preset[]
  chosen: Preset
  counts: Readonly<Partial<Record<Preset, number>>>
  /** A preset with more alarms than its count. */
  atLeast?: Preset | undefined
  rangeOf: (preset: Preset) => string
  onChoose: (preset: Preset) => void
}

/** Chooses which alarms to show, with the number of each choice. */
export function Presets({ presets, chosen, counts, atLeast, rangeOf, onChoose }: PresetsProps) {
  return (
    <fieldset className="presets">
      <legend className="sr-only">Which alarms</legend>
      <div className="preset-bar">
        {presets.map((preset) => (
          <label key={preset} className="preset" title={PRESETS[preset].meaning}>
            <input
              type="radio"
              name="preset"
              checked={preset === chosen}
              onChange={() => onChoose(preset)}
              className="sr-only"
            />
            <span>{PRESETS[preset].label}</span>
            <small>{rangeOf(preset)}</small>
            <span className="preset-count">
              {counts[preset] === undefined ? '–' : formatNumber(counts[preset])}
              {preset === atLeast && '+'}
            </span>
          </label>
        ))}
      </div>
    </fieldset>
  )
}

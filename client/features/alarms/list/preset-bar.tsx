import { formatNumber } from '../../../lib/format.ts'
import { PRESETS, type Preset } from '../alarm.ts'

interface PresetBarProps {
  presets: readonly Preset[]
  chosen: Preset
  counts: Record<string, number>
  /** The time that the counts are of; null for any time. */
  narrowed: string | null
  onChoose: (preset: Preset) => void
}

export function PresetBar({ presets, chosen, counts, narrowed, onChoose }: PresetBarProps) {
  return (
    <fieldset className="preset-bar">
      <legend className="sr-only">Which alarms</legend>
      {presets.map((preset) => (
        <label key={preset} className="preset">
          <input
            type="radio"
            name="preset"
            checked={preset === chosen}
            onChange={() => onChoose(preset)}
            className="sr-only"
          />
          <span className="preset-label">{PRESETS[preset].label}</span>
          <span className="preset-count">
            {counts[preset] === undefined ? '–' : formatNumber(counts[preset] ?? 0)}
          </span>
          <span className="preset-meaning">
            {PRESETS[preset].meaning}, {narrowed && preset !== 'action' ? narrowed.toLowerCase() : 'any time'}
          </span>
        </label>
      ))}
    </fieldset>
  )
}

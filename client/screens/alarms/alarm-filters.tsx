import { useCallback, useRef, useState } from 'react'
import type { DeviceName } from '../../api/device-names.ts'
import { useDeviceSearch } from '../../api/device-search.ts'
import { SelectField } from '../../components/field.tsx'
import { FilterChips } from '../../components/filter-chips.tsx'
import { FilterMenu } from '../../components/filter-menu.tsx'
import { FilterSheet } from '../../components/filter-sheet.tsx'
import { RemoteChoice } from '../../components/remote-choice.tsx'
import { SearchField } from '../../components/search-field.tsx'
import { type Alarm, BANDS, PRESETS, type Preset, SOURCE_STATES, type SourceState } from '../../lib/alarms.ts'
import { formatNumber } from '../../lib/format.ts'
import { listOf } from '../../session/use-list-query.ts'
import { AlarmExport, type AlarmExportProps } from './alarm-export.tsx'
import { AlarmRefresh, type AlarmRefreshProps } from './alarm-refresh.tsx'
import { type AlarmQuery, FIRST_VIEW, RANGES } from './alarm-view.ts'

interface PresetBarProps {
  presets: readonly Preset[]
  chosen: Preset
  counts: Record<string, number>
  onChoose: (preset: Preset) => void
}

export function PresetBar({ presets, chosen, counts, onChoose }: PresetBarProps) {
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
          <span className="preset-meaning">{PRESETS[preset].meaning}</span>
        </label>
      ))}
    </fieldset>
  )
}

const FILTERS = ['states', 'classes', 'band'] as const

/** What the list is sorted by, in words. */
const SORTS = { timestamp: 'time', priority: 'priority', sourceName: 'source', sourceState: 'state' }

interface AlarmToolbarProps {
  query: AlarmQuery
  customerId: string
  names: ReadonlyMap<string, DeviceName> | null
  withDevice: boolean
  rows: readonly Alarm[]
  refresh: AlarmRefreshProps
  exported: Omit<AlarmExportProps, 'customerId'>
}

export function AlarmToolbar(props: AlarmToolbarProps) {
  const { query, customerId, withDevice, rows, refresh, exported } = props
  const { values, change } = query
  // Classes are the devices' own words: those that have been seen are offered.
  const seen = useRef(new Set<string>())
  for (const { alarmClass } of rows) seen.current.add(alarmClass)
  const classes = [...new Set([...seen.current, ...listOf(values.classes)])].sort()
  return (
    <>
      <SearchField label="Source or message" value={values.q} onSearch={(q) => change({ q })} />
      <FilterSheet
        query={query}
        count={
          chipsOf(query).length + [values.device, values.range !== FIRST_VIEW.range].filter(Boolean).length
        }
        defaults={FIRST_VIEW}
        names={[...FILTERS, 'device', 'range']}
        sorts={SORTS}
      >
        {(edited) => (
          <AlarmFields customerId={customerId} withDevice={withDevice} classes={classes} {...edited} />
        )}
      </FilterSheet>
      <div className="toolbar-end">
        <AlarmRefresh {...refresh} />
        <AlarmExport {...exported} customerId={customerId} />
      </div>
    </>
  )
}

type AlarmFieldsProps = Pick<AlarmQuery, 'values' | 'change'> &
  Pick<AlarmToolbarProps, 'customerId' | 'withDevice'> & { classes: readonly string[] }

function AlarmFields({ customerId, withDevice, classes, values, change }: AlarmFieldsProps) {
  const [keyword, setKeyword] = useState('')
  const [deviceName, setDeviceName] = useState('')
  const search = useCallback((text: string) => setKeyword(text), [])
  const found = useDeviceSearch(withDevice ? customerId : null, keyword)
  const device = found.data?.find(({ systemGuid }) => systemGuid === values.device)
  return (
    <>
      <SelectField
        label="Time"
        value={values.range}
        onChange={(range) => change({ range })}
        options={Object.entries(RANGES).map(([value, { label }]) => ({ value, label }))}
      />
      {withDevice && (
        <RemoteChoice
          label="Device"
          placeholder="All devices"
          options={(found.data ?? []).map(({ systemGuid, deviceName: name }) => ({ id: systemGuid, name }))}
          busy={found.busy}
          chosen={
            values.device
              ? { id: values.device, name: device?.deviceName ?? (deviceName || 'Chosen device') }
              : null
          }
          onSearch={search}
          onChoose={(option) => {
            setDeviceName(option?.name ?? '')
            change({ device: option?.id ?? '' })
          }}
        />
      )}
      <SelectField
        label="Priority"
        value={values.band}
        onChange={(band) => change({ band })}
        options={[
          { value: '', label: 'Any priority' },
          ...BANDS.map(({ id, label, from, to }) => ({ value: id, label: `${label} (${from} to ${to})` }))
        ]}
      />
      <FilterMenu
        label="State"
        choices={Object.entries(SOURCE_STATES).map(([value, { label }]) => ({ value, label }))}
        chosen={listOf(values.states)}
        onChange={(states) => change({ states: states.join(',') })}
      />
      <FilterMenu
        label="Class"
        choices={classes.map((value) => ({ value, label: value }))}
        chosen={listOf(values.classes)}
        onChange={(chosen) => change({ classes: chosen.join(',') })}
      />
    </>
  )
}

export function AlarmChips({ query }: { query: AlarmQuery }) {
  const chips = chipsOf(query)
  return (
    <>
      {chips.length > 1 && <p className="list-note">Alarms that match all of these:</p>}
      <FilterChips chips={chips} onClear={() => query.clear(...FILTERS)} />
    </>
  )
}

function chipsOf({ values, change, clear }: AlarmQuery) {
  const without = (list: string, value: string) =>
    listOf(list)
      .filter((one) => one !== value)
      .join(',')
  return [
    ...listOf(values.states).map((state) => ({
      label: `State: ${SOURCE_STATES[state as SourceState]?.label ?? state}`,
      onRemove: () => change({ states: without(values.states, state) })
    })),
    ...listOf(values.classes).map((name) => ({
      label: `Class: ${name}`,
      onRemove: () => change({ classes: without(values.classes, name) })
    })),
    ...(values.band
      ? [
          {
            label: `Priority: ${BANDS.find(({ id }) => id === values.band)?.label ?? values.band}`,
            onRemove: () => clear('band')
          }
        ]
      : [])
  ]
}

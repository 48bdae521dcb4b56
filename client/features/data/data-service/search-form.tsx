import SearchIcon from 'lucide-react/icons/search'
import { useState } from 'react'
import { deviceOption } from '../../../lib/format.ts'
import { isNotFound } from '../../../lib/http/api-error.ts'
import { Combobox } from '../../../ui/input/combobox.tsx'
import { TextField } from '../../../ui/input/field.tsx'
import { Chip } from '../../../ui/list/filters/filters.tsx'
import { useDevice, useDeviceSearch } from '../../sites/devices/api.ts'
import { type Comparison, PointSearchChoices, type SearchType } from '../points/point-search.tsx'

export interface Search {
  items: readonly string[]
  type: SearchType
  comparison: Comparison
}

interface SearchFormProps {
  customerId: string
  /** The uuids of the devices that are searched. */
  devices: readonly string[]
  search: Search
  onDevices: (uuids: string[]) => void
  onSearch: (search: Search) => void
}

export const DEVICES_MAX = 10

export function SearchForm({ customerId, devices, search, onDevices, onSearch }: SearchFormProps) {
  const [text, setText] = useState('')
  const [items, setItems] = useState(search.items)
  const [choice, setChoice] = useState({ type: search.type, comparison: search.comparison })
  const [deviceText, setDeviceText] = useState('')
  const deviceSearch = useDeviceSearch(customerId, deviceText)
  const isFull = devices.length >= DEVICES_MAX
  const addableDevices = (deviceSearch.data ?? []).filter(({ deviceUuid }) => !devices.includes(deviceUuid))

  const withWords = (typed: string) => [...new Set([...items, ...wordsIn(typed)])]
  const remove = (item: string) => setItems(items.filter((other) => other !== item))

  return (
    <form
      className="card stack"
      onSubmit={(event) => {
        event.preventDefault()
        setItems(withWords(text))
        setText('')
        onSearch({ ...choice, items: withWords(text) })
      }}
    >
      <div className="row search-form-row">
        <Combobox
          label={isFull ? `Device (${DEVICES_MAX} at most)` : 'Device'}
          placeholder={isFull ? 'Remove a device first' : 'Add a device'}
          options={isFull ? [] : addableDevices.map(deviceOption)}
          chosen={null}
          emptyText={
            isFull
              ? `${DEVICES_MAX} devices at most.`
              : deviceSearch.isFetching
                ? 'Searching…'
                : 'No device has this name.'
          }
          onSearch={setDeviceText}
          onChoose={({ id }) => onDevices([...devices, id])}
        />
        <ul className="row token-field" aria-label="Devices searched">
          {devices.map((deviceUuid) => (
            <DeviceToken
              key={deviceUuid}
              customerId={customerId}
              deviceUuid={deviceUuid}
              onRemove={() => onDevices(devices.filter((uuid) => uuid !== deviceUuid))}
            />
          ))}
        </ul>
      </div>
      <div className="row search-form-row">
        <TextField
          label="Words"
          placeholder="Separated by commas"
          value={text}
          onChange={(typed) => {
            const last = typed.lastIndexOf(',') + 1
            setItems(withWords(typed.slice(0, last)))
            setText(typed.slice(last).trimStart())
          }}
          autoComplete="off"
          spellCheck={false}
          onPaste={(event) => {
            // Read pasted lines here, because a text field would join them.
            const pasted = event.clipboardData.getData('text')
            if (wordsIn(pasted).length < 2) return
            event.preventDefault()
            setItems(withWords(`${text},${pasted}`))
            setText('')
          }}
        />
        <PointSearchChoices {...choice} onChange={(next) => setChoice({ ...choice, ...next })} />
        <button type="submit" className="button primary">
          <SearchIcon />
          Search
        </button>
      </div>
      {items.length > 0 && (
        <ul className="row token-field" aria-label="Words searched for">
          {items.map((item) => (
            <Chip key={item} name={item} onRemove={() => remove(item)}>
              {item}
            </Chip>
          ))}
        </ul>
      )}
    </form>
  )
}

/** Splits a text at commas, semicolons, tabs and line ends; a word may contain spaces. */
function wordsIn(text: string): string[] {
  return text
    .split(/[,;\n\t]/)
    .map((word) => word.trim())
    .filter(Boolean)
}

interface DeviceTokenProps {
  customerId: string
  deviceUuid: string
  onRemove: () => void
}

function DeviceToken({ customerId, deviceUuid, onRemove }: DeviceTokenProps) {
  const { data, error } = useDevice(customerId, deviceUuid)
  const text = data?.deviceName ?? (isNotFound(error) ? 'No such device' : '…')
  return (
    <Chip name={text} onRemove={onRemove}>
      {text}
    </Chip>
  )
}

import X from 'lucide-react/icons/x'

export function ProjectChip({ name, onClear }: { name: string; onClear: () => void }) {
  return (
    <span className="chip">
      <span title={name}>{name}</span>
      <button type="button" aria-label={`Show all projects instead of ${name}`} onClick={onClear}>
        <X />
      </button>
    </span>
  )
}

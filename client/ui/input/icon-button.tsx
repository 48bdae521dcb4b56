import type { LucideIcon } from 'lucide-react'
import type { ComponentProps } from 'react'

interface IconButtonProps extends Omit<ComponentProps<'button'>, 'name' | 'type' | 'onClick'> {
  name: string
  Icon: LucideIcon
  /** Disabled, but focusable. */
  off?: boolean
  pressed?: boolean
  small?: boolean
  onPress: () => void
}

/** A button that shows only an icon. Its tooltip is its name. */
export function IconButton(props: IconButtonProps) {
  const { name, Icon, off = false, pressed, small, onPress, className = 'quiet', ...button } = props
  return (
    <button
      title={name}
      {...button}
      type="button"
      className={`button icon ${className}${small ? ' small' : ''}`}
      aria-label={name}
      aria-pressed={pressed}
      aria-disabled={off || undefined}
      onClick={() => off || onPress()}
    >
      <Icon />
    </button>
  )
}

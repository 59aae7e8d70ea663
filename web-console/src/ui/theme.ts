import { Button, createTheme, Menu, Modal, NumberInput, Select, Textarea, TextInput, Tooltip, type MantineThemeOverride } from "@mantine/core";
import settings from "./theme.json";

// Scroll locks and transitions of these write <style> elements or move things; the policy and the brief allow neither.
export const theme: MantineThemeOverride = createTheme({
  ...(settings as unknown as MantineThemeOverride),
  components: {
    Button: Button.extend({ defaultProps: { size: "xs" } }),
    TextInput: TextInput.extend({ defaultProps: { size: "xs" } }),
    Textarea: Textarea.extend({ defaultProps: { size: "xs" } }),
    NumberInput: NumberInput.extend({ defaultProps: { size: "xs" } }),
    Select: Select.extend({ defaultProps: { size: "xs", allowDeselect: false, comboboxProps: { transitionProps: { duration: 0 } } } }),
    Modal: Modal.extend({ defaultProps: { lockScroll: false, transitionProps: { duration: 0 }, overlayProps: { transitionProps: { duration: 0 } } as never, closeButtonProps: { "aria-label": "Close" } } }),
    Menu: Menu.extend({ defaultProps: { transitionProps: { duration: 0 } } }),
    Tooltip: Tooltip.extend({ defaultProps: { transitionProps: { duration: 0 }, openDelay: 250 } }),
  },
});

import { createTheme, type MantineThemeOverride } from "@mantine/core";
import settings from "./theme.json";

// The head of a dialog is an element that would count as the head of the page.
const asPart = { header: { role: "none" } };
const small = { defaultProps: { size: "xs" } };

// Scroll locks and transitions of these write <style> elements or move things; the policy and the brief allow neither. By name and not
// by component, which would put all of them into the first view.
export const theme: MantineThemeOverride = createTheme({
  ...(settings as unknown as MantineThemeOverride),
  components: {
    Button: small,
    TextInput: small,
    Textarea: small,
    NumberInput: small,
    Select: { defaultProps: { size: "xs", allowDeselect: false, comboboxProps: { transitionProps: { duration: 0 } } } },
    Modal: { defaultProps: { lockScroll: false, transitionProps: { duration: 0 }, overlayProps: { transitionProps: { duration: 0 } }, closeButtonProps: { "aria-label": "Close" }, attributes: asPart } },
    Drawer: { defaultProps: { attributes: asPart } },
    Menu: { defaultProps: { transitionProps: { duration: 0 } } },
    Tooltip: { defaultProps: { transitionProps: { duration: 0 }, openDelay: 250 } },
  },
});

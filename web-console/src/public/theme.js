// Sets the colour scheme before the first paint.
(function () {
  var wish = null;
  try {
    wish = localStorage.getItem("mantine-color-scheme-value");
  } catch (closed) {
    // The browser keeps nothing for this site.
  }
  var dark = wish === "dark" || (wish !== "light" && matchMedia("(prefers-color-scheme: dark)").matches);
  document.documentElement.setAttribute("data-mantine-color-scheme", dark ? "dark" : "light");
})();

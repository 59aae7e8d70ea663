package io.tidemark.platform.tenancy;

/** Who may make organisations, each of which uses memory that all tenants share. */
public enum OrganizationCreators {
  /** Everybody who has signed in. */
  ANYONE,
  /** People who administer the platform's own organisation. */
  ADMINISTRATORS,
  /** Only the settings name organisations. */
  NOBODY;

  /**
   * Whether a person may.
   *
   * @param administersPlatform whether they administer the platform's own organisation
   */
  public boolean include(boolean administersPlatform) {
    return switch (this) {
      case ANYONE -> true;
      case ADMINISTRATORS -> administersPlatform;
      case NOBODY -> false;
    };
  }
}

package io.tidemark.flink.lake.parquet;

import com.github.luben.zstd.Zstd;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.apache.iceberg.Schema;
import org.apache.iceberg.types.Type;
import org.apache.iceberg.types.Types;
import org.apache.parquet.format.ColumnMetaData;
import org.apache.parquet.format.DataPageHeader;
import org.apache.parquet.format.Encoding;
import org.apache.parquet.format.FileMetaData;
import org.apache.parquet.format.PageHeader;
import org.apache.parquet.format.RowGroup;
import org.apache.parquet.format.Util;
import org.jspecify.annotations.Nullable;

/**
 * Reads files of {@link SortedFile} back into columns, to merge them. It knows only what that class
 * writes; {@link #isReadable} says whether a file is such a one.
 */
public final class SortedFileReader {

  private final Schema schema;
  private final byte[] bytes;
  private final FileMetaData meta;
  private final int[] firstLeaf;

  /**
   * @param bytes the whole file
   */
  public SortedFileReader(Schema schema, byte[] bytes) throws IOException {
    this.schema = schema;
    this.bytes = bytes;
    int tail = bytes.length - 2 * Integer.BYTES;
    int footer = new PageBytes(Arrays.copyOfRange(bytes, tail, tail + Integer.BYTES)).nextInt();
    this.meta = Util.readFileMetaData(new ByteArrayInputStream(bytes, tail - footer, footer));
    this.firstLeaf = new int[schema.columns().size()];
    int leaf = 0;
    for (int i = 0; i < firstLeaf.length; i++) {
      firstLeaf[i] = leaf;
      leaf += schema.columns().get(i).type().isMapType() ? 2 : 1;
    }
  }

  /** Whether our writer wrote it, with the columns that the table has now. */
  public boolean isReadable() {
    return SortedFile.CREATED_BY.equals(meta.getCreated_by())
        && FileSchema.of(schema).equals(meta.getSchema());
  }

  public int rowGroups() {
    return meta.getRow_groupsSize();
  }

  public int rows(int rowGroup) {
    return (int) group(rowGroup).getNum_rows();
  }

  private RowGroup group(int rowGroup) {
    return Objects.requireNonNull(meta.getRow_groups()).get(rowGroup);
  }

  public ColumnData column(int rowGroup, int column) throws IOException {
    Types.NestedField field = schema.columns().get(column);
    int rows = rows(rowGroup);
    if (field.type().typeId() == Type.TypeID.DOUBLE) {
      return doubles(rowGroup, firstLeaf[column], field.isRequired());
    }
    Chunk chunk = chunk(rowGroup, firstLeaf[column]);
    if (field.type().isMapType()) {
      return maps(chunk, chunk(rowGroup, firstLeaf[column] + 1), rows, field.isRequired());
    }
    if (field.type().isListType()) {
      return lists(chunk, rows, field.type().asListType().elementType());
    }
    boolean @Nullable [] present = null;
    int count = rows;
    if (field.isOptional()) {
      int[] levels = chunk.data.levels(rows, 1);
      present = new boolean[rows];
      count = 0;
      for (int i = 0; i < rows; i++) {
        present[i] = levels[i] == 1;
        count += levels[i];
      }
      if (count == 0) {
        return new ColumnData.Absent();
      }
      present = count == rows ? null : present;
    }
    return switch (field.type().typeId()) {
      case STRING -> texts(chunk, rows, count, present);
      case BOOLEAN -> booleans(chunk, rows);
      default -> {
        boolean isInt = field.type().typeId() == Type.TypeID.INTEGER;
        yield new ColumnData.Wholes(spread(chunk.data.deltas(isInt), rows, present), present);
      }
    };
  }

  private static ColumnData booleans(Chunk chunk, int rows) {
    boolean[] values = new boolean[rows];
    int packed = 0;
    for (int i = 0; i < rows; i++) {
      packed = i % Byte.SIZE == 0 ? chunk.data.next() : packed >>> 1;
      values[i] = (packed & 1) == 1;
    }
    return new ColumnData.Booleans(values);
  }

  /** All pages; each has levels of its own. */
  private ColumnData doubles(int rowGroup, int leaf, boolean isRequired) throws IOException {
    int rows = rows(rowGroup);
    ColumnMetaData column = columnOf(rowGroup, leaf);
    double[] distinct = new double[0];
    if (column.isSetDictionary_page_offset()) {
      Page page = page(column.getDictionary_page_offset());
      PageBytes bits = new PageBytes(page.content());
      distinct =
          bits.doubles(
              Objects.requireNonNull(page.header().getDictionary_page_header()).getNum_values());
    }
    double[] values = new double[rows];
    boolean[] present = new boolean[rows];
    int found = 0;
    long offset = column.getData_page_offset();
    for (int row = 0; row < rows; ) {
      Page page = page(offset);
      offset = page.end();
      PageBytes data = new PageBytes(page.content());
      DataPageHeader header = Objects.requireNonNull(page.header().getData_page_header());
      int inPage = header.getNum_values();
      int count = 0;
      if (isRequired) {
        Arrays.fill(present, row, row + inPage, true);
        count = inPage;
      } else {
        int[] levels = data.levels(inPage, 1);
        for (int i = 0; i < inPage; i++) {
          present[row + i] = levels[i] == 1;
          count += levels[i];
        }
      }
      double[] dense =
          switch (header.getEncoding()) {
            case RLE_DICTIONARY -> data.ofDictionary(distinct, count);
            case BYTE_STREAM_SPLIT -> data.splitDoubles(count);
            default -> data.doubles(count);
          };
      int at = 0;
      for (int i = row; i < row + inPage; i++) {
        values[i] = present[i] ? dense[at++] : 0;
      }
      found += count;
      row += inPage;
    }
    return found == 0
        ? new ColumnData.Absent()
        : new ColumnData.Doubles(values, found == rows ? null : present);
  }

  private static ColumnData texts(Chunk chunk, int rows, int count, boolean @Nullable [] present) {
    if (!chunk.isDictionary) {
      byte[] @Nullable [] values = new byte[rows][];
      for (int i = 0; i < rows; i++) {
        values[i] = present == null || present[i] ? chunk.data.nextText() : null;
      }
      return new ColumnData.UniqueTexts(values);
    }
    int[] places = chunk.data.places(count);
    int[] ids = new int[rows];
    int[] runs = new int[rows];
    int run = -1;
    int at = 0;
    for (int i = 0; i < rows; i++) {
      int id = present == null || present[i] ? places[at++] : -1;
      if (run < 0 || ids[run] != id) {
        ids[++run] = id;
      }
      runs[run] = i + 1;
    }
    return new ColumnData.Texts(
        chunk.texts(), Arrays.copyOf(ids, run + 1), Arrays.copyOf(runs, run + 1));
  }

  /** One map per row, in the order of the rows. */
  private static ColumnData maps(Chunk keys, Chunk values, int rows, boolean isRequired) {
    int largest = isRequired ? 1 : 2;
    int[] repetitions = keys.data.levels(keys.values, 1);
    int[] definitions = keys.data.levels(keys.values, largest);
    values.data.levels(values.values, 1);
    values.data.levels(values.values, largest);
    int entries = 0;
    for (int definition : definitions) {
      entries += definition == largest ? 1 : 0;
    }
    int[] keyPlaces = keys.data.places(entries);
    int[] valuePlaces = values.data.places(entries);
    int[][] keyIds = new int[rows][];
    int[][] valueIds = new int[rows][];
    int[] ids = new int[rows];
    int[] runs = new int[rows];
    int level = 0;
    int at = 0;
    for (int row = 0; row < rows; row++) {
      int from = at;
      do {
        at += definitions[level] == largest ? 1 : 0;
        level++;
      } while (level < repetitions.length && repetitions[level] == 1);
      keyIds[row] = Arrays.copyOfRange(keyPlaces, from, at);
      valueIds[row] = Arrays.copyOfRange(valuePlaces, from, at);
      ids[row] = row;
      runs[row] = row + 1;
    }
    return new ColumnData.Maps(ids, runs, keyIds, valueIds, keys.texts(), values.texts());
  }

  private static ColumnData lists(Chunk chunk, int rows, Type element) {
    int[] repetitions = chunk.data.levels(chunk.values, 1);
    int[] definitions = chunk.data.levels(chunk.values, 2);
    int[] lengths = new int[rows];
    int row = -1;
    int elements = 0;
    for (int i = 0; i < definitions.length; i++) {
      if (repetitions[i] == 0) {
        row++;
        lengths[row] = definitions[i] == 0 ? -1 : 0;
      }
      if (definitions[i] == 2) {
        lengths[row]++;
        elements++;
      }
    }
    if (elements == 0 && Arrays.stream(lengths).allMatch(length -> length < 0)) {
      return new ColumnData.Absent();
    }
    if (element.typeId() == Type.TypeID.DOUBLE) {
      double[][] lists = new double[rows][];
      for (int i = 0; i < rows; i++) {
        if (lengths[i] >= 0) {
          lists[i] = new double[lengths[i]];
          for (int j = 0; j < lengths[i]; j++) {
            lists[i][j] = Double.longBitsToDouble(chunk.data.nextLong());
          }
        }
      }
      return new ColumnData.DoubleLists(lists);
    }
    long[] values = chunk.data.deltas(false);
    long[][] lists = new long[rows][];
    int at = 0;
    for (int i = 0; i < rows; i++) {
      if (lengths[i] >= 0) {
        lists[i] = Arrays.copyOfRange(values, at, at + lengths[i]);
        at += lengths[i];
      }
    }
    return new ColumnData.WholeLists(lists);
  }

  private static long[] spread(long[] values, int rows, boolean @Nullable [] present) {
    if (present == null) {
      return values;
    }
    long[] spread = new long[rows];
    int at = 0;
    for (int i = 0; i < rows; i++) {
      spread[i] = present[i] ? values[at++] : 0;
    }
    return spread;
  }

  /** The two pages of a leaf that is not of doubles, decompressed. */
  private record Chunk(int values, boolean isDictionary, PageBytes dictionary, PageBytes data) {

    byte[][] texts() {
      List<byte[]> texts = new ArrayList<>();
      while (dictionary.hasMore()) {
        texts.add(dictionary.nextText());
      }
      return texts.toArray(new byte[0][]);
    }
  }

  private ColumnMetaData columnOf(int rowGroup, int leaf) {
    return Objects.requireNonNull(
        Objects.requireNonNull(group(rowGroup).getColumns()).get(leaf).getMeta_data());
  }

  private Chunk chunk(int rowGroup, int leaf) throws IOException {
    ColumnMetaData column = columnOf(rowGroup, leaf);
    PageBytes dictionary = new PageBytes(new byte[0]);
    if (column.isSetDictionary_page_offset()) {
      dictionary = new PageBytes(page(column.getDictionary_page_offset()).content());
    }
    Page data = page(column.getData_page_offset());
    DataPageHeader header = Objects.requireNonNull(data.header().getData_page_header());
    return new Chunk(
        header.getNum_values(),
        header.getEncoding() == Encoding.RLE_DICTIONARY,
        dictionary,
        new PageBytes(data.content()));
  }

  /**
   * @param end where the next page begins
   */
  private record Page(PageHeader header, byte[] content, long end) {}

  private Page page(long offset) throws IOException {
    ByteArrayInputStream in =
        new ByteArrayInputStream(bytes, (int) offset, bytes.length - (int) offset);
    PageHeader header = Util.readPageHeader(in);
    byte[] compressed = in.readNBytes(header.getCompressed_page_size());
    return new Page(
        header,
        Zstd.decompress(compressed, header.getUncompressed_page_size()),
        bytes.length - in.available());
  }
}

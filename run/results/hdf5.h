/* SPDX-License-Identifier: MIT */
/* The HDF5 library, which reads results and writes the table of a sweep. It takes longer to load than many a run
   takes, with the libraries that it needs itself, and a run does not need it: it is loaded when it is first used. Its
   functions are called by their own names. As the library itself, not for several threads at once. Inner header of
   run/. */
#ifndef WY_RUN_RESULTS_HDF5_H
#define WY_RUN_RESULTS_HDF5_H

#include <hdf5.h>

#include "withy/base.h"

/* To be called before anything of the library. WY_ERROR_SUPPORT: it is not there. */
wy_status wy_hdf5_load(wy_message *message);

/* Without the name of its file the library is linked. */
#ifdef WY_HDF5_LIBRARY

/* clang-format off */
#define WY_HDF5_FUNCTIONS(X) \
  X(H5Aclose) X(H5Acreate2) X(H5Aexists) X(H5Aget_space) X(H5Aget_type) X(H5Aopen) X(H5Aread) X(H5Awrite) \
  X(H5Dclose) X(H5Dcreate2) X(H5Dget_create_plist) X(H5Dget_offset) X(H5Dget_space) X(H5Dget_type) X(H5Dopen2) \
  X(H5Dread) X(H5Dwrite) X(H5Eset_auto2) X(H5Fclose) X(H5Fcreate) X(H5Fopen) X(H5Gclose) X(H5Gget_info) \
  X(H5Gopen2) X(H5Lexists) X(H5Lget_name_by_idx) X(H5Oclose) X(H5Oopen) X(H5Pclose) X(H5Pcreate) X(H5Pget_layout) \
  X(H5Pset_create_intermediate_group) X(H5Pset_fclose_degree) X(H5Pset_file_locking) X(H5Pset_obj_track_times) \
  X(H5Sclose) X(H5Screate) X(H5Screate_simple) X(H5Sget_simple_extent_dims) X(H5Sget_simple_extent_ndims) \
  X(H5Sget_simple_extent_npoints) X(H5Sselect_hyperslab) X(H5Tclose) X(H5Tcopy) X(H5Tequal) X(H5Tget_class) \
  X(H5Tget_cset) X(H5Tget_size) X(H5Tis_variable_str) X(H5Tset_cset) X(H5Tset_size) X(H5check_version) \
  X(H5dont_atexit) X(H5free_memory) X(H5open)

#define WY_HDF5_VARIABLES(X) \
  X(H5T_NATIVE_DOUBLE_g) X(H5T_NATIVE_FLOAT_g) X(H5T_NATIVE_INT64_g) X(H5T_NATIVE_INT_g) X(H5T_NATIVE_LLONG_g) \
  X(H5T_C_S1_g) X(H5P_CLS_FILE_ACCESS_ID_g) X(H5P_CLS_LINK_CREATE_ID_g) X(H5P_CLS_DATASET_CREATE_ID_g)
/* clang-format on */

typedef struct wy_hdf5_library {
#define WY_HDF5_MEMBER(name) __typeof__(name) *(name);
  WY_HDF5_FUNCTIONS(WY_HDF5_MEMBER)
  WY_HDF5_VARIABLES(WY_HDF5_MEMBER)
#undef WY_HDF5_MEMBER
} wy_hdf5_library;
/* What wy_hdf5_load has found, in the shared library of the caller: each has a copy of it. */
const wy_hdf5_library *wy_hdf5_loaded(void);

#ifndef WY_HDF5_LOADING
#define H5Aclose wy_hdf5_loaded()->H5Aclose
#define H5Acreate2 wy_hdf5_loaded()->H5Acreate2
#define H5Aexists wy_hdf5_loaded()->H5Aexists
#define H5Aget_space wy_hdf5_loaded()->H5Aget_space
#define H5Aget_type wy_hdf5_loaded()->H5Aget_type
#define H5Aopen wy_hdf5_loaded()->H5Aopen
#define H5Aread wy_hdf5_loaded()->H5Aread
#define H5Awrite wy_hdf5_loaded()->H5Awrite
#define H5Dclose wy_hdf5_loaded()->H5Dclose
#define H5Dcreate2 wy_hdf5_loaded()->H5Dcreate2
#define H5Dget_create_plist wy_hdf5_loaded()->H5Dget_create_plist
#define H5Dget_offset wy_hdf5_loaded()->H5Dget_offset
#define H5Dget_space wy_hdf5_loaded()->H5Dget_space
#define H5Dget_type wy_hdf5_loaded()->H5Dget_type
#define H5Dopen2 wy_hdf5_loaded()->H5Dopen2
#define H5Dread wy_hdf5_loaded()->H5Dread
#define H5Dwrite wy_hdf5_loaded()->H5Dwrite
#define H5Eset_auto2 wy_hdf5_loaded()->H5Eset_auto2
#define H5Fclose wy_hdf5_loaded()->H5Fclose
#define H5Fcreate wy_hdf5_loaded()->H5Fcreate
#define H5Fopen wy_hdf5_loaded()->H5Fopen
#define H5Gclose wy_hdf5_loaded()->H5Gclose
#define H5Gget_info wy_hdf5_loaded()->H5Gget_info
#define H5Gopen2 wy_hdf5_loaded()->H5Gopen2
#define H5Lexists wy_hdf5_loaded()->H5Lexists
#define H5Lget_name_by_idx wy_hdf5_loaded()->H5Lget_name_by_idx
#define H5Oclose wy_hdf5_loaded()->H5Oclose
#define H5Oopen wy_hdf5_loaded()->H5Oopen
#define H5Pclose wy_hdf5_loaded()->H5Pclose
#define H5Pcreate wy_hdf5_loaded()->H5Pcreate
#define H5Pget_layout wy_hdf5_loaded()->H5Pget_layout
#define H5Pset_create_intermediate_group wy_hdf5_loaded()->H5Pset_create_intermediate_group
#define H5Pset_fclose_degree wy_hdf5_loaded()->H5Pset_fclose_degree
#define H5Pset_file_locking wy_hdf5_loaded()->H5Pset_file_locking
#define H5Pset_obj_track_times wy_hdf5_loaded()->H5Pset_obj_track_times
#define H5Sclose wy_hdf5_loaded()->H5Sclose
#define H5Screate wy_hdf5_loaded()->H5Screate
#define H5Screate_simple wy_hdf5_loaded()->H5Screate_simple
#define H5Sget_simple_extent_dims wy_hdf5_loaded()->H5Sget_simple_extent_dims
#define H5Sget_simple_extent_ndims wy_hdf5_loaded()->H5Sget_simple_extent_ndims
#define H5Sget_simple_extent_npoints wy_hdf5_loaded()->H5Sget_simple_extent_npoints
#define H5Sselect_hyperslab wy_hdf5_loaded()->H5Sselect_hyperslab
#define H5Tclose wy_hdf5_loaded()->H5Tclose
#define H5Tcopy wy_hdf5_loaded()->H5Tcopy
#define H5Tequal wy_hdf5_loaded()->H5Tequal
#define H5Tget_class wy_hdf5_loaded()->H5Tget_class
#define H5Tget_cset wy_hdf5_loaded()->H5Tget_cset
#define H5Tget_size wy_hdf5_loaded()->H5Tget_size
#define H5Tis_variable_str wy_hdf5_loaded()->H5Tis_variable_str
#define H5Tset_cset wy_hdf5_loaded()->H5Tset_cset
#define H5Tset_size wy_hdf5_loaded()->H5Tset_size
#define H5check_version wy_hdf5_loaded()->H5check_version
#define H5dont_atexit wy_hdf5_loaded()->H5dont_atexit
#define H5free_memory wy_hdf5_loaded()->H5free_memory
#define H5open wy_hdf5_loaded()->H5open
#define H5T_NATIVE_DOUBLE_g (*wy_hdf5_loaded()->H5T_NATIVE_DOUBLE_g)
#define H5T_NATIVE_FLOAT_g (*wy_hdf5_loaded()->H5T_NATIVE_FLOAT_g)
#define H5T_NATIVE_INT64_g (*wy_hdf5_loaded()->H5T_NATIVE_INT64_g)
#define H5T_NATIVE_INT_g (*wy_hdf5_loaded()->H5T_NATIVE_INT_g)
#define H5T_NATIVE_LLONG_g (*wy_hdf5_loaded()->H5T_NATIVE_LLONG_g)
#define H5T_C_S1_g (*wy_hdf5_loaded()->H5T_C_S1_g)
#define H5P_CLS_FILE_ACCESS_ID_g (*wy_hdf5_loaded()->H5P_CLS_FILE_ACCESS_ID_g)
#define H5P_CLS_LINK_CREATE_ID_g (*wy_hdf5_loaded()->H5P_CLS_LINK_CREATE_ID_g)
#define H5P_CLS_DATASET_CREATE_ID_g (*wy_hdf5_loaded()->H5P_CLS_DATASET_CREATE_ID_g)
#endif
#endif
#endif
